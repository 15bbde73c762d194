import { type Bcp47, toBcp47 } from '@linnet/contract/languages';

/** Characters from which a language is detected. More take longer, but change nothing. */
const MAX_CHARACTERS = 2000;

/** Detects the language of a text. Returns null if it isn't supported, or if the text is too short to tell. */
export async function detectLanguage(text: string): Promise<Bcp47 | null> {
  // Loaded on demand, because its profiles use 50 MB of memory.
  const { detect } = await import('tinyld');
  return toBcp47(detect(text.slice(0, MAX_CHARACTERS))) ?? null;
}
