/** Formats recordings as plain text, which costs language models fewer tokens than JSON. */

import { toClock } from '@linnet/base';
import type { Quote, SearchMatch, SummaryDocument } from '@linnet/contract';
import type { RecordingRow, RecordingSummary, TranscriptParagraph } from './library.ts';

type Todo = SummaryDocument['todos'][number];

/** Formats a recording as one line, including the ID that the other tools expect. */
export function describeRecording({
  id,
  title,
  recorded_at: recordedAt,
  total_time: seconds,
  tags,
}: {
  readonly id: string;
  readonly title: string;
  readonly recorded_at: Date | string;
  readonly total_time: number;
  readonly tags: readonly string[];
}): string {
  const facts = [
    new Date(recordedAt).toISOString(),
    toClock(seconds),
    ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : []),
  ];
  return `${title || 'Untitled'} (${facts.join('; ')}) id: ${id}`;
}

/** Formats a search hit, with its position if it is in the transcript. */
export function describeMatch({ where, text, start_time: start }: SearchMatch): string {
  return start === undefined ? `  ${where}: ${text}` : `  [${toClock(start)}] ${text}`;
}

/** Formats a quoted paragraph with its recording, position and speaker. */
export function describeQuote(quote: Quote): string {
  const { title, recorded_at: recordedAt, radio_file_id: id, start_time: start, speaker } = quote;
  const name = speaker ? `${speaker}: ` : '';
  return `${title || 'Untitled'} (${recordedAt}) id: ${id}\n  [${toClock(start)}] ${name}${quote.text}`;
}

/** Formats paragraphs with their positions and speaker names. */
export function describeTranscript(
  paragraphs: readonly TranscriptParagraph[],
  speakers: RecordingRow['speakers'],
): string {
  return paragraphs
    .map(({ start_time: start, content, speaker }) => {
      const name = speaker === null ? '' : `${speakers[speaker] ?? `Speaker ${speaker}`}: `;
      return `[${toClock(start)}] ${name}${content}`;
    })
    .join('\n');
}

/** Formats a to-do as a checkbox line with its ID. */
export function describeTodo(
  { id, text, who, when, due, start_time: start }: Todo,
  isDone: boolean,
) {
  const facts = [who, due ?? when, `at ${toClock(start)}`].filter((fact) => fact !== null);
  return `[${isDone ? 'x' : ' '}] ${text} (${facts.join('; ')}) id: ${id}`;
}

/** Formats a summary's text, followed by the lists in its document. */
export function describeSummary(
  { summary, summary_json: document }: RecordingSummary,
  ticks: RecordingRow['ticks'],
): string {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', title, ...lines];
  if (!document) return summary || 'This recording has no summary.';
  return [
    summary,
    ...section(
      'To-dos:',
      document.todos.map((todo) => describeTodo(todo, ticks[todo.id] === true)),
    ),
    ...section(
      'Open questions:',
      document.questions.map(({ text, start_time: start }) => `[${toClock(start)}] ${text}`),
    ),
    ...section(
      'Topics:',
      document.topics.map(({ text, start_time: start }) => `[${toClock(start)}] ${text}`),
    ),
  ].join('\n');
}
