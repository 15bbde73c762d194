import type { Config } from '../../config.ts';
import { openLocalStore } from './local.ts';
import type { ObjectStore } from './port.ts';

/** The store that STORAGE names. */
export function selectStore(config: Config): Promise<ObjectStore> {
  switch (config.STORAGE) {
    case 'local':
      return openLocalStore(config.DATA_DIR);
  }
}
