import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** LibreOffice exits with this code to request a restart, for example after creating its profile. */
const RESTART_EXIT_CODE = 81;
const TIMEOUT_MS = 60_000;

/** Returns LibreOffice's program folder. LibreOffice may be installed or just unpacked. */
function findOfficeFolder(): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const candidate = join(folder, 'soffice');
    try {
      accessSync(candidate, constants.X_OK);
    } catch {
      continue;
    }
    return dirname(realpathSync(candidate));
  }
  throw new Error('LibreOffice is missing');
}

/**
 * Converts Word files to PDF with LibreOffice. The PDF files get the same base names and are written to `folder`, along
 * with LibreOffice's profile.
 */
export function convertToPdf(folder: string, files: readonly string[]): void {
  const officeFolder = findOfficeFolder();
  const toFileUrl = (...parts: string[]) => pathToFileURL(join(...parts)).href;
  const profile = toFileUrl(folder, 'office');
  // Debian's bootstrap settings contain absolute paths that only exist if the package is installed.
  const registry = toFileUrl(officeFolder, '../share/.registry');
  const bootstrapVariables = [
    `BRAND_BASE_DIR=${toFileUrl(officeFolder, '..')}`,
    `CONFIGURATION_LAYERS=xcsxcu:${registry} res:${registry} user:!${profile}/user/registrymodifications.xcu`,
    `UserInstallation=${profile}`,
  ];
  const args = [
    ...bootstrapVariables.map((each) => `-env:${each}`),
    ...['--headless', '--convert-to', 'pdf', '--outdir', folder, ...files],
  ];
  // Force UTF-8, so that file names in every script work regardless of the machine's locale.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const run = () =>
    spawnSync(join(officeFolder, 'soffice.bin'), args, {
      encoding: 'utf8',
      env,
      timeout: TIMEOUT_MS,
    });
  let result = run();
  if (result.status === RESTART_EXIT_CODE) result = run();
  if (result.status !== 0) {
    throw new Error(`LibreOffice ended with ${result.status ?? result.signal}: ${result.stderr}`);
  }
}
