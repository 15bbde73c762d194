import type { FileSharing } from '../../features/export/file-sharing.ts';
import type { ShareResult } from '../../ports/exports.ts';

/**
 * Lifetime of an object URL in milliseconds. It is long because some browsers read the file only after the user has
 * chosen a location.
 */
const OBJECT_URL_LIFETIME_MS = 10 * 60_000;

/** Creates the adapter that saves files as downloads and shares them through the browser's share sheet. */
export function createWebFileSharing(): FileSharing {
  return {
    save,
    // Check on demand, because the check would slow down app startup.
    get canShare() {
      return canShareFiles();
    },
    share,
    get canShareLinks() {
      return 'share' in navigator;
    },
    shareLink: (url) => openShareSheet({ url }),
  };
}

/** Starts a download. Browsers don't report the outcome. */
async function save(file: File): Promise<true> {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), OBJECT_URL_LIFETIME_MS);
  return true;
}

function canShareFiles(): boolean {
  const sample = new File([' '], 'linnet.txt', { type: 'text/plain' });
  return navigator.canShare?.({ files: [sample] }) === true;
}

async function share(file: File): Promise<ShareResult> {
  if (!navigator.canShare?.({ files: [file] })) return 'unable';
  // Sharing requires a recent tap, and after a long export the last tap may be too old.
  if (navigator.userActivation && !navigator.userActivation.isActive) return 'needs_tap';
  return openShareSheet({ files: [file], title: file.name });
}

async function openShareSheet(data: ShareData): Promise<ShareResult> {
  try {
    await navigator.share(data);
    return 'shared';
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    // Some browsers reject unsupported file types only here.
    return error.name === 'AbortError' ? 'canceled' : 'unable';
  }
}
