/** The entry point of the virtual recorder process. `RECORDERS` sets the number of recorders. */
import { ConfigError, readConfig } from './config.ts';
import { serve } from './serve.ts';

async function main(): Promise<void> {
  await serve(readConfig(process.env));
}

main().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
});
