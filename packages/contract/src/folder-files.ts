/** Determines which files in a folder are imported. Phones and the server share this code. */

/** Matches the extensions of files that may contain audio. Their content is checked later. */
const AUDIO_NAME = /\.(wav|wave|mp3|mp4|m4a|aac|ogg|oga|opus|flac|weba|webm|mka|mov|3gp|amr|wma)$/i;

/** Matches the names of hidden files and of folders that operating systems create on drives. */
const HIDDEN_NAME = /^(\..*|System Volume Information|\$RECYCLE\.BIN)$/;

/**
 * How long a file must be unchanged before it counts as complete, in milliseconds. Programs that copy files write more often than that.
 */
const SETTLED_MS = 5000;

/** True if a file may contain audio, judging by its name. */
export function isAudioName(name: string): boolean {
  return AUDIO_NAME.test(name);
}

/** True if a file or folder is hidden or belongs to the operating system. */
export function isHiddenName(name: string): boolean {
  return HIDDEN_NAME.test(name);
}

/**
 * True if a file changed so recently that a program may still be writing it. Times in the future are ignored.
 * @param modifiedAt milliseconds since 1970
 * @param now milliseconds since 1970
 */
export function isBeingWritten(modifiedAt: number, now: number): boolean {
  const age = now - modifiedAt;
  return age >= 0 && age < SETTLED_MS;
}
