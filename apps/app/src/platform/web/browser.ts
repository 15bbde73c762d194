/** Adapters for browsers. */
import { createWebBluetoothFinder } from '@linnet/transports/web-bluetooth';
import { createWebSocketFinder } from '@linnet/transports/websocket';
import type { PlatformAdapters } from '../../features/platform.ts';
import { createWebFileSharing } from './file-sharing.ts';
import { watchNetwork } from './network.ts';
import { onUnshared, readSharedFiles } from './shared-files.ts';

export function inBrowser(): PlatformAdapters {
  return {
    finders: (virtualRecorders) =>
      new Map([
        ['web-bluetooth', createWebBluetoothFinder()],
        [
          'websocket',
          createWebSocketFinder({
            get recorders() {
              return virtualRecorders();
            },
          }),
        ],
      ]),
    // Web pages cannot join networks.
    networks: null,
    network: watchNetwork(),
    fileSharing: createWebFileSharing(),
    sharedFiles: readSharedFiles,
    // Sharing with a web app opens a new page, so the listener reports only failures.
    onShared: onUnshared,
    // Web pages cannot run in the background.
    keepRunning: () => () => {},
  };
}
