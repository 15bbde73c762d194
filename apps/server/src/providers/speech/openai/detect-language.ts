import { type Bcp47, toBcp47 } from '@linnet/contract/languages';

/** Maximum number of characters used to detect a language. More would take longer without changing the result. */
const MAX_CHARACTERS = 2000;

/** Detects the language of a string. Returns null if the language isn't supported or the string is too short. */
export async function detectLanguage(text: string): Promise<Bcp47 | null> {
  // Load the library on demand, because its profiles take 50 MB of memory.
  const { detect } = await import('tinyld');
  return toBcp47(detect(text.slice(0, MAX_CHARACTERS))) ?? null;
}
