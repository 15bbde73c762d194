/** Renders a recording as a note: Markdown with YAML front matter, and links and tags in Obsidian's syntax. */
import type { MindMapBranch } from '@linnet/mind-map/tree';
import { linkableName } from './file-name.ts';
import { escapeLines, escapeNoteText } from './markdown.ts';
import { defaultTemplate, fillTemplate, isTemplate, parseTemplate } from './template.ts';
import { quoteYaml, yamlList } from './yaml.ts';

/** Version of the note format, written to the front matter. */
const formatVersion = 1;

export type NoteSection = {
  /** Null for the text before the first heading. */
  readonly heading: string | null;
  readonly points: readonly string[];
};

export type NoteTodo = {
  readonly text: string;
  /** The assignee and the due date, if known. */
  readonly details: readonly string[];
  readonly done: boolean;
};

export type NoteSpeaker = {
  readonly name: string;
  /** True if the user has named the speaker. Named speakers are rendered as links. */
  readonly isNamed: boolean;
};

export type NoteParagraph = {
  readonly speaker: NoteSpeaker | null;
  /** Position in the recording, such as `1:05`. */
  readonly time: string;
  readonly text: string;
  readonly isMarked: boolean;
};

/** The content of a recording's note. */
export type Note = {
  /** The recording's ID; the same on every device. */
  readonly id: string;
  readonly title: string;
  /** Local time of the recording without a time zone: `2026-11-29T10:12:00`. */
  readonly date: string;
  /** The duration in whole seconds, and as text such as `12:34`. */
  readonly duration: { readonly seconds: number; readonly text: string };
  /** BCP 47 tag of the spoken language; null if unknown. */
  readonly language: string | null;
  /** Names of the speakers that the user has named. */
  readonly people: readonly string[];
  readonly tags: readonly string[];
  readonly place: string | null;
  /** Address of the recording in the app. */
  readonly link: string;
  readonly summary: readonly NoteSection[];
  readonly todos: readonly NoteTodo[];
  readonly mindMap: MindMapBranch | null;
  readonly transcript: readonly NoteParagraph[];
};

/** A note's headings. */
export type NoteHeadings = {
  readonly summary: string;
  readonly todos: string;
  readonly mindMap: string;
  readonly transcript: string;
};

/**
 * Renders a note. The output is deterministic.
 * @param template the user's template; the default template is used if it is null or invalid
 */
export function renderNote(note: Note, headings: NoteHeadings, template: string | null): string {
  const customTemplate = template === null ? null : parseTemplate(template);
  const parsed =
    customTemplate && isTemplate(customTemplate) ? customTemplate : parseTemplate(defaultTemplate);
  if (!isTemplate(parsed)) throw new Error('the default template is invalid');
  return `${renderFrontMatter(note)}\n${fillTemplate(parsed, getValues(note, headings))}`.toWellFormed();
}

const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

function renderFrontMatter(note: Note): string {
  return [
    '---',
    `id: ${quoteYaml(note.id)}`,
    `title: ${quoteYaml(note.title)}`,
    // Note-taking apps recognize a date only without quotation marks.
    `date: ${localTime.test(note.date) ? note.date : quoteYaml(note.date)}`,
    `duration: ${note.duration.seconds}`,
    ...(note.language === null ? [] : [`language: ${quoteYaml(note.language)}`]),
    yamlList('people', note.people.map(linkTo).filter(unique)),
    yamlList('tags', note.tags.flatMap((tag) => toTag(tag) ?? []).filter(unique)),
    ...(note.place === null ? [] : [`place: ${quoteYaml(note.place)}`]),
    `link: ${quoteYaml(note.link)}`,
    `version: ${formatVersion}`,
    '---',
    '',
  ].join('\n');
}

function getValues(note: Note, headings: NoteHeadings) {
  const [day = '', time = ''] = note.date.split('T');
  const clock = time.slice(0, 5);
  const place = note.place === null ? '' : escapeNoteText(note.place);
  const date = clock === '' ? day : `${day} ${clock}`;
  return {
    title: escapeNoteText(note.title),
    date: day,
    time: clock,
    duration: note.duration.text,
    language: note.language === null ? '' : escapeNoteText(note.language),
    place,
    link: `<${note.link.replace(/[<>\s]/g, encodeURIComponent)}>`,
    facts: [date, note.duration.text, ...(place === '' ? [] : [place])].join(' · '),
    people: note.people.map(linkInText).filter(unique).join(' · '),
    tags: note.tags
      .flatMap((tag) => toTag(tag) ?? [])
      .filter(unique)
      .map((tag) => `#${tag}`)
      .join(' '),
    summary: section(headings.summary, renderSummary(note.summary)),
    todos: section(headings.todos, note.todos.map(renderTodo)),
    mindmap: section(headings.mindMap, note.mindMap ? renderOutline(note.mindMap) : []),
    transcript: section(headings.transcript, note.transcript.map(renderParagraph), '\n\n'),
  };
}

const unique = <Value>(value: Value, index: number, all: readonly Value[]) =>
  all.indexOf(value) === index;

function section(heading: string, blocks: readonly string[], separator = '\n'): string {
  return blocks.length === 0
    ? ''
    : `## ${escapeNoteText(heading)}\n\n${blocks.join(separator)}`.trimEnd();
}

function renderSummary(sections: readonly NoteSection[]): string[] {
  return sections.flatMap(({ heading, points }) =>
    heading === null
      ? points.flatMap((point) => [escapeLines(point, escapeNoteText), ''])
      : [`### ${escapeNoteText(heading)}`, '', ...points.map(listItem), ''],
  );
}

const listItem = (text: string) => `- ${escapeLines(text, escapeNoteText, '  ')}`;

function renderTodo({ text, details, done }: NoteTodo): string {
  const suffix = details.length > 0 ? ` *(${details.map(escapeNoteText).join(' · ')})*` : '';
  return `- [${done ? 'x' : ' '}] ${escapeLines(text, escapeNoteText, '  ')}${suffix}`;
}

function renderOutline(tree: MindMapBranch, depth = 0): string[] {
  return [
    `${'  '.repeat(depth)}- ${escapeNoteText(tree.topic)}`,
    ...tree.children.flatMap((branch) => renderOutline(branch, depth + 1)),
  ];
}

function renderParagraph({ speaker, time, text, isMarked }: NoteParagraph): string {
  const name =
    speaker && (speaker.isNamed ? linkInText(speaker.name) : escapeNoteText(speaker.name));
  const head = [...(isMarked ? ['★'] : []), ...(name ? [`**${name}**`] : []), `*${time}*`];
  // Two trailing spaces make a line break.
  return `${head.join(' ')}  \n${escapeLines(text, escapeNoteText)}`;
}

/** Returns the link to a person's note, or the plain name if none of its characters are valid in a link. */
function linkTo(name: string): string {
  const target = linkableName(name);
  return target === '' ? name : `[[${target}]]`;
}

function linkInText(name: string): string {
  return linkableName(name) === '' ? escapeNoteText(name) : linkTo(name);
}

/** Matches the characters that end a tag in Obsidian, except for whitespace. */
const UNTAGGABLE_CHARACTERS =
  /[\u2000-\u206f\u2e00-\u2e7f'!"#$%&()*+,.:;<=>?@^`{|}~[\]\\\p{Cc}\p{Cs}]+/gu;

/**
 * Returns a valid tag without `#`, or null if no character remains. Appends `_` to a tag of only digits, which would be
 * invalid.
 */
function toTag(tag: string): string | null {
  const plainTag = tag
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(UNTAGGABLE_CHARACTERS, '')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/\/+/g, '/')
    .replace(/^\/|\/$/g, '');
  if (plainTag === '') return null;
  return /^\d+$/.test(plainTag) ? `${plainTag}_` : plainTag;
}
