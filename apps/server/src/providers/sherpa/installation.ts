import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The package to install where npm skipped the optional engine. */
export const SHERPA_PACKAGE = 'sherpa-onnx-node';

/**
 * Whether sherpa-onnx is installed for this machine: the package, and the one with the engine for this
 * system and processor. Both are optional dependencies. Nothing is loaded.
 */
export function isSherpaInstalled(): boolean {
  const require = createRequire(import.meta.url);
  try {
    const own = dirname(require.resolve(SHERPA_PACKAGE));
    const system = process.platform === 'win32' ? 'win' : process.platform;
    return existsSync(join(own, '..', `sherpa-onnx-${system}-${process.arch}`, 'sherpa-onnx.node'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}
