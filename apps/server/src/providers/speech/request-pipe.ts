import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SpeechFailure } from './port.ts';

/** A named pipe through which a running engine process receives requests, one per line. */
export interface RequestPipe {
  readonly path: string;
  /** @throws SpeechFailure `scratch-failed` */
  send(line: string): Promise<void>;
  /** Closes the pipe. The engine exits when it reaches the end. */
  close(): Promise<void>;
}

/**
 * Creates a named pipe in a temporary folder.
 * @throws SpeechFailure `scratch-failed`
 */
export async function openRequestPipe(folder: string): Promise<RequestPipe> {
  const path = join(folder, 'requests');
  let file: FileHandle;
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', path]);
    // Open it for reading, too. Otherwise, this would block until the engine opens the pipe. It also keeps the pipe
    // open between requests.
    file = await open(path, constants.O_RDWR);
  } catch (cause) {
    throw new SpeechFailure('scratch-failed', 'request pipe', cause);
  }
  return {
    path,
    async send(line) {
      try {
        await file.write(`${line}\n`);
      } catch (cause) {
        throw new SpeechFailure('scratch-failed', 'request pipe', cause);
      }
    },
    close: () => file.close(),
  };
}
