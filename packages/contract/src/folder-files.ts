/** The files of a folder that are imported, on phones and on the server. */

/** The extensions of files that may contain audio. Their content decides. */
const AUDIO_NAME = /\.(wav|wave|mp3|mp4|m4a|aac|ogg|oga|opus|flac|weba|webm|mka|mov|3gp|amr|wma)$/i;

/** The names of hidden files, and of folders that operating systems create on drives. */
const HIDDEN_NAME = /^(\..*|System Volume Information|\$RECYCLE\.BIN)$/;

/** Milliseconds for which a file must not have changed. Programs that copy a file write to it at shorter intervals. */
const SETTLED_MS = 5000;

/** Whether a file may contain audio, as far as its name tells. */
export function isAudioName(name: string): boolean {
  return AUDIO_NAME.test(name);
}

/** Whether a file or folder is hidden, or belongs to the operating system. */
export function isHiddenName(name: string): boolean {
  return HIDDEN_NAME.test(name);
}

/**
 * Whether a file was modified so recently that a program may still be writing it. Times in the future do not count.
 * @param modifiedAt milliseconds since 1970
 * @param now milliseconds since 1970
 */
export function isBeingWritten(modifiedAt: number, now: number): boolean {
  const age = now - modifiedAt;
  return age >= 0 && age < SETTLED_MS;
}
