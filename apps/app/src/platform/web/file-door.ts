import type { FileDoor } from '../../features/export/file-door.ts';
import type { Shared } from '../../ports/exports.ts';

/** How long the address of a file stays good: some browsers ask where to put it before they read it. */
const ADDRESS_MS = 10 * 60_000;

/** Files leave as downloads, or through the browser's share sheet. */
export function createWebFileDoor(): FileDoor {
  return {
    save,
    // Asked when it is wanted: the answer takes a while, and the start should not wait for it.
    get shares() {
      return canShareFiles();
    },
    share,
  };
}

/** Has the browser download a file, which tells nobody what becomes of it. */
async function save(file: File): Promise<true> {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), ADDRESS_MS);
  return true;
}

function canShareFiles(): boolean {
  const sample = new File([' '], 'linnet.txt', { type: 'text/plain' });
  return navigator.canShare?.({ files: [sample] }) === true;
}

async function share(file: File): Promise<Shared> {
  if (!navigator.canShare?.({ files: [file] })) return 'unable';
  // Making the file may have outlasted the tap that a share sheet wants.
  if (navigator.userActivation && !navigator.userActivation.isActive) return 'needs_tap';
  try {
    await navigator.share({ files: [file], title: file.name });
    return 'shared';
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    // Browsers share only some kinds of file, and say which only by refusing.
    return error.name === 'AbortError' ? 'cancelled' : 'unable';
  }
}
