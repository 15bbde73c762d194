import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The engine's npm package, which is an optional dependency. */
export const SHERPA_PACKAGE = 'sherpa-onnx-node';

/**
 * Returns whether sherpa-onnx and its binary package for this system and processor are installed. Both are optional
 * dependencies. Loads neither.
 */
export function isSherpaInstalled(): boolean {
  const require = createRequire(import.meta.url);
  try {
    const packageFolder = dirname(require.resolve(SHERPA_PACKAGE));
    const system = process.platform === 'win32' ? 'win' : process.platform;
    return existsSync(
      join(packageFolder, '..', `sherpa-onnx-${system}-${process.arch}`, 'sherpa-onnx.node'),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}
