import { limits } from '@linnet/contract/limits';
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { CallError, defaultMessages } from '../../http/failure.ts';
import type { Library, TranscriptParagraph } from './library.ts';
import {
  describeMatch,
  describeQuote,
  describeRecording,
  describeSummary,
  describeTodo,
  describeTranscript,
} from './text.ts';

/** Maximum characters of a transcript in one response, about 15,000 tokens. */
const maxCharacters = 60_000;

const recordingId = z.string().describe('The id of the recording, as the other tools return it.');
const page = z.int().min(1).max(10_000).default(1).describe('The page, from 1.');

export interface McpServerParts {
  readonly library: Library;
  /** Whether the tools that change recordings are offered. */
  readonly canWrite: boolean;
  readonly version: string;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
}

/** Runs a tool. */
type Answer = (run: () => Promise<string>) => Promise<CallToolResult>;

/** Creates the server of one request, with the tools that its caller may use. */
export function createMcpServer({ library, canWrite, version, log }: McpServerParts): McpServer {
  /** Returns a tool's result. A failure is told to the model as text; the cause of an internal one is only logged. */
  const answer: Answer = async (run) => {
    try {
      return { content: [{ type: 'text', text: await run() }] };
    } catch (error) {
      const isRefused = error instanceof CallError;
      if (!isRefused) log.error({ err: error }, 'MCP tool failed');
      const text = isRefused ? error.message : defaultMessages.internal;
      return { content: [{ type: 'text', text }], isError: true };
    }
  };
  const server = new McpServer(
    { name: 'linnet', title: 'Linnet', version },
    {
      instructions:
        'The recordings of one person: transcripts, summaries and to-dos. Cite the title and the position of what you quote.',
    },
  );
  addReadTools(server, library, answer);
  if (canWrite) addWriteTools(server, library, answer);
  return server;
}

const readOnly = { annotations: { readOnlyHint: true, openWorldHint: false } };
/** Every change can be undone in the app, and repeating it changes nothing. */
const change = {
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

function addReadTools(server: McpServer, library: Library, answer: Answer): void {
  server.registerTool(
    'search_recordings',
    {
      ...readOnly,
      title: 'Search recordings',
      description:
        'Finds recordings that contain all words, in the transcript, title, summary, notes, tags or names of speakers. Newest first.',
      inputSchema: z.object({
        query: z.string().trim().min(1).max(limits.search.keywordMaxLength),
        page,
      }),
    },
    ({ query, page }) =>
      answer(async () => {
        const { list, total } = await library.search(query, page);
        const lines = list.flatMap((row) => [
          describeRecording({ ...row, title: row.name || row.ai_title }),
          ...row.matches.map(describeMatch),
        ]);
        return [`${total} recordings`, ...lines].join('\n');
      }),
  );
  server.registerTool(
    'ask',
    {
      ...readOnly,
      title: 'Ask a question',
      description:
        'Finds the passages of all transcripts that best match a question, which may name a speaker, a tag, a place or a period ("last week"). They are quoted, not interpreted: if none of them contains the answer, the recordings probably do not.',
      inputSchema: z.object({
        question: z.string().trim().min(1).max(limits.ask.questionMaxLength),
      }),
    },
    ({ question }) =>
      answer(async () => {
        const { quotes } = await library.ask(question);
        return quotes.length > 0 ? quotes.map(describeQuote).join('\n') : 'No passages';
      }),
  );
  server.registerTool(
    'list_recordings',
    {
      ...readOnly,
      title: 'List recordings',
      description:
        'Lists the recordings, newest first, with a short summary. Archived recordings are left out, but can be searched.',
      inputSchema: z.object({ page }),
    },
    ({ page }) =>
      answer(async () => {
        const { list, total } = await library.list(page);
        const lines = list.flatMap((row) => [
          describeRecording({ ...row, title: row.name || row.ai_title }),
          ...(row.brief ? [`  ${row.brief}`] : []),
        ]);
        return [`${total} recordings`, ...lines].join('\n');
      }),
  );
  server.registerTool(
    'get_transcript',
    {
      ...readOnly,
      title: 'Get a transcript',
      description:
        'Returns what was said, with positions and speakers. A long transcript is returned in parts.',
      inputSchema: z.object({
        recording_id: recordingId,
        from_seconds: z
          .number()
          .min(0)
          .max(1_000_000)
          .default(0)
          .describe('Omits paragraphs that end before this position.'),
        to_seconds: z
          .number()
          .min(0)
          .max(1_000_000)
          .default(1_000_000)
          .describe('Omits paragraphs that start after this position.'),
        from_paragraph: z
          .int()
          .min(0)
          .max(1_000_000)
          .default(0)
          .describe('Continues a transcript, as the preceding part says.'),
      }),
    },
    ({ recording_id: id, from_seconds: from, to_seconds: to, from_paragraph: first }) =>
      answer(async () => {
        const recording = await library.find(id);
        const paragraphs = await library.transcript(recording.id, { from, to, first });
        const { shown, next } = takeCharacters(paragraphs);
        return [
          describeRecording(recording),
          describeTranscript(shown, recording.speakers),
          ...(next === undefined ? [] : [`The transcript continues with from_paragraph: ${next}`]),
        ].join('\n');
      }),
  );
  server.registerTool(
    'get_summary',
    {
      ...readOnly,
      title: 'Get a summary',
      description: 'Returns the summary of a recording, with its to-dos, questions and topics.',
      inputSchema: z.object({ recording_id: recordingId }),
    },
    ({ recording_id: id }) =>
      answer(async () => {
        const recording = await library.find(id);
        const summary = await library.summary(recording.id);
        return fit(
          [describeRecording(recording), describeSummary(summary, recording.ticks)].join('\n'),
        );
      }),
  );
  server.registerTool(
    'list_todos',
    {
      ...readOnly,
      title: 'List to-dos',
      description:
        'Lists the to-dos of the recordings, newest first, those of twenty recordings on a page.',
      inputSchema: z.object({
        include_done: z.boolean().default(false).describe('Whether to list completed to-dos, too.'),
        page,
      }),
    },
    ({ include_done: includesDone, page }) =>
      answer(async () => {
        const recordings = await library.withTodos(includesDone, page);
        const lines = recordings.flatMap((recording) => {
          const isDone = (id: string) => recording.ticks[id] === true;
          const todos = (recording.summary_json?.todos ?? []).filter(
            ({ id }) => includesDone || !isDone(id),
          );
          const texts = todos.map((todo) => `  ${describeTodo(todo, isDone(todo.id))}`);
          return [describeRecording(recording), ...texts];
        });
        return lines.length === 0 ? 'There are no to-dos.' : fit(lines.join('\n'));
      }),
  );
}

function addWriteTools(server: McpServer, library: Library, answer: Answer): void {
  server.registerTool(
    'complete_todo',
    {
      ...change,
      title: 'Complete a to-do',
      description: 'Marks a to-do as done, or as open again.',
      inputSchema: z.object({
        recording_id: recordingId,
        todo_id: z.string().describe('The id of the to-do.'),
        done: z.boolean().default(true),
      }),
    },
    ({ recording_id: id, todo_id: item, done }) =>
      answer(async () => {
        const recording = await library.find(id);
        const { summary_json: document } = await library.summary(recording.id);
        const todo = document?.todos.find((each) => each.id === item);
        if (!todo) throw new CallError('notFound');
        await library.edit({
          type: 'recording.tick',
          recording: recording.client_flag,
          item,
          done,
        });
        return describeTodo(todo, done);
      }),
  );
  server.registerTool(
    'rename_recording',
    {
      ...change,
      title: 'Rename a recording',
      description: 'Gives a recording another title.',
      inputSchema: z.object({
        recording_id: recordingId,
        title: z.string().trim().min(1).max(limits.recording.nameMaxLength),
      }),
    },
    ({ recording_id: id, title: name }) =>
      answer(async () => {
        const { client_flag: recording } = await library.find(id);
        await library.edit({ type: 'recording.rename', recording, name });
        return describeRecording(await library.find(id));
      }),
  );
  server.registerTool(
    'tag_recording',
    {
      ...change,
      title: 'Tag a recording',
      description: 'Adds a tag to a recording, or removes one.',
      inputSchema: z.object({
        recording_id: recordingId,
        tag: z.string().trim().min(1).max(limits.recording.tagMaxLength),
        present: z.boolean().default(true).describe('False to remove the tag.'),
      }),
    },
    ({ recording_id: id, tag, present }) =>
      answer(async () => {
        const { client_flag: recording } = await library.find(id);
        await library.edit({ type: 'recording.tag', recording, tag, on: present });
        return describeRecording(await library.find(id));
      }),
  );
}

/** Takes as many paragraphs as fit into a response, at least one. Returns the number of the first of the rest, if any. */
function takeCharacters(paragraphs: readonly TranscriptParagraph[]) {
  let characters = 0;
  const end = paragraphs.findIndex(({ content }, index) => {
    characters += content.length;
    return index > 0 && characters > maxCharacters;
  });
  return end < 0
    ? { shown: paragraphs, next: undefined }
    : { shown: paragraphs.slice(0, end), next: paragraphs[end]?.ordinal };
}

/** Shortens a text that doesn't fit into a response. */
const fit = (text: string) =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}\n… (shortened)` : text;
