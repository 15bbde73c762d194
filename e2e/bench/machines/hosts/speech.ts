/**
 * Runs a fake speech recognition service on the machine of this process. Arguments: the machine's address, and the file
 * of the script that is spoken in all recordings.
 */
import { readFile } from 'node:fs/promises';
import { startOpenAi } from '@linnet/server/testing/openai';
import { argument, serve } from './serve.ts';

const service = await startOpenAi(argument(0));
service.script = JSON.parse(await readFile(argument(1), 'utf8'));
serve(service.url, () => service.close());
