/** Creates the platform adapters for browsers. */
import { omiProfile } from '@linnet/omi';
import { pocketProfile } from '@linnet/pocket';
import { createWebBluetoothFinder } from '@linnet/transports/web-bluetooth';
import { createWebSocketFinder } from '@linnet/transports/websocket';
import type { PlatformAdapters } from '../../features/platform.ts';
import { createWebFileSharing } from './file-sharing.ts';
import { watchNetwork } from './network.ts';
import { createBrowserPush } from './push.ts';
import { onSharingFailed, readSharedFiles } from './shared-files.ts';

export function createBrowserAdapters(): PlatformAdapters {
  return {
    finders: (virtualRecorders) =>
      new Map([
        ['web-bluetooth', createWebBluetoothFinder([omiProfile, pocketProfile])],
        [
          'websocket',
          createWebSocketFinder({
            get recorders() {
              return virtualRecorders();
            },
          }),
        ],
      ]),
    // Web pages can't join networks.
    networks: null,
    notifications: createBrowserPush(),
    network: watchNetwork(),
    fileSharing: createWebFileSharing(),
    sharedFiles: readSharedFiles,
    // Sharing with a web app opens a new page, which reads the shared files, so report only failures here.
    onShared: onSharingFailed,
    // Web pages can't run in the background.
    keepRunning: () => () => {},
  };
}
