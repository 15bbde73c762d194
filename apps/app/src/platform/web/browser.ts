/** What browsers do in their own way. */
import { createWebBluetoothFinder } from '@linnet/transports/web-bluetooth';
import { createWebSocketFinder } from '@linnet/transports/websocket';
import type { PlatformAdapters } from '../../features/platform.ts';
import { createWebFileDoor } from './file-door.ts';
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
    // Pages cannot have a device join a network.
    networks: null,
    network: watchNetwork(),
    fileDoor: createWebFileDoor(),
    sharedFiles: readSharedFiles,
    // Sharing with a page opens it anew.
    onShared: onUnshared,
    // A page runs as long as its browser lets it.
    keepRunning: () => () => {},
  };
}
