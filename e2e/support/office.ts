import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** LibreOffice's exit code for a requested restart, as after creating its profile. */
const START_AGAIN = 81;
const PATIENCE_MS = 60_000;

/** The folder of LibreOffice's programs, installed or unpacked. */
function programs(): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const start = join(folder, 'soffice');
    try {
      accessSync(start, constants.X_OK);
    } catch {
      continue;
    }
    return dirname(realpathSync(start));
  }
  throw new Error('LibreOffice is missing');
}

/**
 * Converts Word files with LibreOffice: a PDF of the same name for each, in the folder. LibreOffice's profile
 * is stored there too.
 */
export function printWithOffice(folder: string, files: readonly string[]): void {
  const program = programs();
  const url = (...parts: string[]) => pathToFileURL(join(...parts)).href;
  const profile = url(folder, 'office');
  // Debian's settings name the paths of an installed package, and the path that its installation copies these to.
  const registry = url(program, '../share/.registry');
  const where = [
    `BRAND_BASE_DIR=${url(program, '..')}`,
    `CONFIGURATION_LAYERS=xcsxcu:${registry} res:${registry} user:!${profile}/user/registrymodifications.xcu`,
    `UserInstallation=${profile}`,
  ];
  const args = [
    ...where.map((each) => `-env:${each}`),
    ...['--headless', '--convert-to', 'pdf', '--outdir', folder, ...files],
  ];
  // UTF-8, so that file names in every script work whatever this machine's language.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const start = () =>
    spawnSync(join(program, 'soffice.bin'), args, { encoding: 'utf8', env, timeout: PATIENCE_MS });
  let ended = start();
  if (ended.status === START_AGAIN) ended = start();
  if (ended.status !== 0) {
    throw new Error(`LibreOffice ended with ${ended.status ?? ended.signal}: ${ended.stderr}`);
  }
}
