/** The virtual recorder as a process of its own. */
import { ConfigError, readConfig } from './config.ts';
import { startRecorder } from './start.ts';

async function main(): Promise<void> {
  const running = await startRecorder(readConfig(process.env));
  console.log(`virtual recorder ${running.recorder.flash.state.sn} on ${running.url}`);
  const stop = () => {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('switching off failed', error);
        process.exit(1);
      },
    );
  };
  // Started by another process over a channel, it does not outlive that process.
  process.on('disconnect', stop);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
});
