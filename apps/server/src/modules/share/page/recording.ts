import { toClock } from '@linnet/base';
import type { SummaryDocument, SummaryTodo } from '@linnet/contract';
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { speakerNameIn } from '@linnet/contract/speaker-names';
import { type SummaryPoint, summarySections } from '@linnet/vault/summary-sections';
import { type Html, html } from '../../../http/html.ts';
import { sectionName } from '../../../transcript/section-words.ts';
import { fill, toLocale, words } from '../../../words/index.ts';
import { hasAudio } from '../../recording/stored-audio.ts';
import { formatUserTime } from '../../recording/user-time.ts';
import type { OpenLink, SharedContent } from '../visits.ts';
import { framePage } from './frame.ts';

/** Values needed by all sections of the page. */
interface Context {
  readonly language: InterfaceLanguage;
  /** Whether the page has a player, so playback can start at a position. */
  readonly isPlayable: boolean;
  readonly link: OpenLink;
  readonly texts: SharedContent;
}

/**
 * Returns the page that shows a link's recording. It contains no IDs.
 * @param address the page's path
 */
export function recordingPage(
  language: InterfaceLanguage,
  address: string,
  link: OpenLink,
  texts: SharedContent,
): string {
  const { recording, parts } = link;
  const share = words[language].share;
  const isPlayable = parts.includes('audio') && hasAudio(recording);
  const context: Context = { language, isPlayable, link, texts };
  const date = formatUserTime(language, recording);
  const title = recording.title.trim() || fill(share.untitled, { date });
  const main = html`<h1 dir="auto">${title}</h1>
<p class="small">${date} · <bdi>${toClock(recording.total_time)}</bdi></p>
${parts.includes('audio') && !isPlayable ? section('audio', share.audio, note(share.unavailable)) : null}
${parts.includes('summary') ? section('summary', share.summary, summary(context)) : null}
${parts.includes('todos') ? section('todos', share.todos, todos(context)) : null}
${parts.includes('transcript') ? section('transcript', share.transcript, transcript(context)) : null}`;
  if (!isPlayable) return framePage({ language, title, main });
  const source = `${address}/audio`;
  const player = html`<section class="player" aria-label="${share.audio}">
<audio controls preload="metadata" src="${source}"></audio>
<p id="unplayable" role="alert" hidden>${share.unplayable} <a class="button" href="${source}" download>${share.download}</a></p>
</section>`;
  return framePage({ language, title, main, player });
}

function section(name: string, title: string, content: Html | readonly Html[]): Html {
  return html`<section data-part="${name}"><h2>${title}</h2>
${content}</section>`;
}

const note = (text: string) => html`<p class="small">${text}</p>`;

/** Placeholder for a section that isn't available yet. */
const emptyNote = (language: InterfaceLanguage) => note(words[language].share.empty);

/** Formats a calendar day such as `2026-11-21`. */
function formatDay(language: InterfaceLanguage, day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat(toLocale(language), {
    dateStyle: 'medium',
    timeZone: 'UTC',
  }).format(date);
}

/** Renders a position in the recording: a button that starts playback there, or only the time without a player. */
function position({ language, isPlayable }: Context, seconds: number | null): Html | null {
  if (seconds === null) return null;
  const time = toClock(seconds);
  if (!isPlayable) return html`<span class="time">${time}</span>`;
  const label = fill(words[language].share.playFrom, { time });
  return html`<button type="button" class="time" data-start="${seconds}" aria-label="${label}">${time}</button>`;
}

function points(context: Context, list: readonly SummaryPoint[]): Html {
  const items = list.map(
    ({ text, start_time: start }) =>
      html`<li class="point"><span><bdi class="text">${text}</bdi></span>${position(context, start)}</li>\n`,
  );
  return html`<ul lang="${context.texts.language ?? ''}">${items}</ul>\n`;
}

function summary(context: Context): Html | Html[] {
  const { language, texts, link } = context;
  const { document } = texts;
  const { kinds } = words[language].share;
  const { brief } = link.recording;
  const sections = summarySections(texts, brief);
  if (texts.language === null || (brief === '' && sections.length === 0))
    return emptyNote(language);
  return [
    ...(document ? [html`<p class="small">${kinds[document.kind]}</p>\n`] : []),
    ...(brief ? [html`<p dir="auto" lang="${texts.language}">${brief}</p>\n`] : []),
    ...sections.map(
      ({ heading, items }) =>
        html`<h3 dir="auto">${translateHeading(context, heading)}</h3>\n${points(context, items)}`,
    ),
  ];
}

/** Translates a heading, unless it comes from the user's own template. */
function translateHeading({ language, texts }: Context, heading: string): string {
  return texts.document?.structure === 'custom' ? heading : sectionName(heading, language);
}

function todos(context: Context): Html {
  const { texts, link, language } = context;
  const list: SummaryDocument['todos'] = texts.document?.todos ?? [];
  if (list.length === 0) {
    return texts.document ? note(words[language].share.none) : emptyNote(language);
  }
  const items = list.map((todo) => todoLine(context, todo, link.recording.ticks[todo.id] === true));
  return html`<ul>${items}</ul>\n`;
}

function todoLine(context: Context, todo: SummaryTodo, isDone: boolean): Html {
  const { language, texts } = context;
  const dueText = todo.due === null ? todo.when : formatDay(language, todo.due);
  const notes = [todo.who, dueText, isDone ? words[language].share.done : null].flatMap((note) =>
    note ? [html`<bdi>${note}</bdi>`] : [],
  );
  const joined = notes.flatMap((note, n) => (n === 0 ? [note] : [' · ', note]));
  const line = joined.length > 0 ? html`<span class="notes">${joined}</span>` : null;
  return html`<li class="point${isDone ? ' done' : ''}"><span><bdi class="text" lang="${texts.language ?? ''}">${todo.text}</bdi>${line}</span>${position(context, todo.start_time)}</li>\n`;
}

function transcript(context: Context): Html | Html[] {
  const { texts, link, language, isPlayable } = context;
  if (texts.paragraphs.length === 0) return emptyNote(language);
  return texts.paragraphs.map((paragraph) => {
    const { start_time: start, speaker, content, is_tag: isHighlighted } = paragraph;
    const name = speaker === null ? '' : speakerNameIn(language, speaker, link.recording.speakers);
    const spokenLanguage = paragraph.language ?? texts.language ?? '';
    return html`<div class="paragraph${isHighlighted === 1 ? ' highlight' : ''}"${isPlayable ? html` data-start="${start}"` : null}>
<header>${name && html`<bdi class="speaker">${name}</bdi>`}${position(context, start)}</header>
<p dir="auto" lang="${spokenLanguage}">${content}</p>
</div>\n`;
  });
}
