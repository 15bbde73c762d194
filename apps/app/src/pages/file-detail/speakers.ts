import type { Paragraph } from '@linnet/contract';

/** How many colours there are for voices (`--voice-1` …). */
export const voiceColours = 6;

/** What the transcript calls its speakers, in the order of their labels; also those that only have a name. */
export function speakerLabels(
  paragraphs: readonly Paragraph[],
  names: Readonly<Record<string, string>>,
): string[] {
  const labels = new Set(Object.keys(names));
  for (const { speaker } of paragraphs) if (speaker !== undefined) labels.add(speaker);
  return [...labels].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** A label that no speaker has yet: the next number. */
export function newLabel(labels: readonly string[]): string {
  let number = labels.length + 1;
  while (labels.includes(String(number))) number += 1;
  return String(number);
}

/** The colour of a speaker, 1 to {@link voiceColours}: the same wherever they speak. */
export function voiceOf(labels: readonly string[], label: string): number {
  return (Math.max(0, labels.indexOf(label)) % voiceColours) + 1;
}
