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

/** Maximum number of characters of a transcript in one response, about 15,000 tokens. */
const maxCharacters = 60_000;

const recordingId = z.string().describe('The ID of the recording, as returned by the other tools.');
const page = z.int().min(1).max(10_000).default(1).describe('The page number, starting at 1.');

export interface McpServerDependencies {
  readonly library: Library;
  /** Whether to offer the tools that change recordings. */
  readonly canWrite: boolean;
  readonly version: string;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
}

/** Runs a tool and converts its text or error to a tool result. */
type RunTool = (run: () => Promise<string>) => Promise<CallToolResult>;

/** Creates the MCP server for one request, with the tools that the caller may use. */
export function createMcpServer({
  library,
  canWrite,
  version,
  log,
}: McpServerDependencies): McpServer {
  /**
   * API errors are returned as text, so the model can act on them. Internal errors are logged and reported generically.
   */
  const runTool: RunTool = async (run) => {
    try {
      return { content: [{ type: 'text', text: await run() }] };
    } catch (error) {
      const isApiError = error instanceof CallError;
      if (!isApiError) log.error({ err: error }, 'MCP tool failed');
      const text = isApiError ? error.message : defaultMessages.internal;
      return { content: [{ type: 'text', text }], isError: true };
    }
  };
  const server = new McpServer(
    { name: 'linnet', title: 'Linnet', version },
    {
      instructions:
        "One person's recordings, with transcripts, summaries and to-dos. When you quote a recording, cite its title and the position.",
    },
  );
  addReadTools(server, library, runTool);
  if (canWrite) addWriteTools(server, library, runTool);
  return server;
}

const readOnly = { annotations: { readOnlyHint: true, openWorldHint: false } };
/** All changes are idempotent, and the user can undo them in the app. */
const change = {
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

function addReadTools(server: McpServer, library: Library, runTool: RunTool): void {
  server.registerTool(
    'search_recordings',
    {
      ...readOnly,
      title: 'Search recordings',
      description:
        'Finds recordings that contain all the words in the transcript, title, summary, notes, tags or speaker names. Newest first.',
      inputSchema: z.object({
        query: z.string().trim().min(1).max(limits.search.keywordMaxLength),
        page,
      }),
    },
    ({ query, page }) =>
      runTool(async () => {
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
        'Finds the passages in all transcripts that best match a question. The question may mention a speaker, a tag, a place or a period ("last week"). Passages are quoted, not interpreted. If none of them contains the answer, the recordings probably do not contain it.',
      inputSchema: z.object({
        question: z.string().trim().min(1).max(limits.ask.questionMaxLength),
      }),
    },
    ({ question }) =>
      runTool(async () => {
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
        'Lists the recordings, newest first, each with a short summary. Archived recordings are not listed, but can be searched.',
      inputSchema: z.object({ page }),
    },
    ({ page }) =>
      runTool(async () => {
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
        'Returns the transcript of a recording, with positions and speakers. Long transcripts are returned in parts.',
      inputSchema: z.object({
        recording_id: recordingId,
        from_seconds: z
          .number()
          .min(0)
          .max(1_000_000)
          .default(0)
          .describe('Start position in seconds. Paragraphs that end before it are omitted.'),
        to_seconds: z
          .number()
          .min(0)
          .max(1_000_000)
          .default(1_000_000)
          .describe('End position in seconds. Paragraphs that start after it are omitted.'),
        from_paragraph: z
          .int()
          .min(0)
          .max(1_000_000)
          .default(0)
          .describe(
            'The paragraph to start from. To continue a long transcript, pass the number given at the end of the previous part.',
          ),
      }),
    },
    ({ recording_id: id, from_seconds: from, to_seconds: to, from_paragraph: first }) =>
      runTool(async () => {
        const recording = await library.find(id);
        const paragraphs = await library.transcript(recording.id, { from, to, first });
        const { shown, next } = takePage(paragraphs);
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
      runTool(async () => {
        const recording = await library.find(id);
        const summary = await library.summary(recording.id);
        return truncate(
          [describeRecording(recording), describeSummary(summary, recording.ticks)].join('\n'),
        );
      }),
  );
  server.registerTool(
    'list_todos',
    {
      ...readOnly,
      title: 'List to-dos',
      description: 'Lists to-dos by recording, newest first. Each page covers twenty recordings.',
      inputSchema: z.object({
        include_done: z.boolean().default(false).describe('Whether to include completed to-dos.'),
        page,
      }),
    },
    ({ include_done: includesDone, page }) =>
      runTool(async () => {
        const recordings = await library.withTodos(includesDone, page);
        const lines = recordings.flatMap((recording) => {
          const isDone = (id: string) => recording.ticks[id] === true;
          const todos = (recording.summary_json?.todos ?? []).filter(
            ({ id }) => includesDone || !isDone(id),
          );
          const texts = todos.map((todo) => `  ${describeTodo(todo, isDone(todo.id))}`);
          return [describeRecording(recording), ...texts];
        });
        return lines.length === 0 ? 'No to-dos' : truncate(lines.join('\n'));
      }),
  );
}

function addWriteTools(server: McpServer, library: Library, runTool: RunTool): void {
  server.registerTool(
    'complete_todo',
    {
      ...change,
      title: 'Complete a to-do',
      description: 'Marks a to-do as done or not done.',
      inputSchema: z.object({
        recording_id: recordingId,
        todo_id: z.string().describe('The ID of the to-do.'),
        done: z.boolean().default(true),
      }),
    },
    ({ recording_id: id, todo_id: item, done }) =>
      runTool(async () => {
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
      description: 'Changes the title of a recording.',
      inputSchema: z.object({
        recording_id: recordingId,
        title: z.string().trim().min(1).max(limits.recording.nameMaxLength),
      }),
    },
    ({ recording_id: id, title: name }) =>
      runTool(async () => {
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
      description: 'Adds a tag to a recording, or removes it.',
      inputSchema: z.object({
        recording_id: recordingId,
        tag: z.string().trim().min(1).max(limits.recording.tagMaxLength),
        present: z.boolean().default(true).describe('True to add the tag, false to remove it.'),
      }),
    },
    ({ recording_id: id, tag, present }) =>
      runTool(async () => {
        const { client_flag: recording } = await library.find(id);
        await library.edit({ type: 'recording.tag', recording, tag, on: present });
        return describeRecording(await library.find(id));
      }),
  );
}

/**
 * Takes as many paragraphs as fit into a response, at least one. `next` is the ordinal of the next paragraph, if any.
 */
function takePage(paragraphs: readonly TranscriptParagraph[]) {
  let characters = 0;
  const end = paragraphs.findIndex(({ content }, index) => {
    characters += content.length;
    return index > 0 && characters > maxCharacters;
  });
  return end < 0
    ? { shown: paragraphs, next: undefined }
    : { shown: paragraphs.slice(0, end), next: paragraphs[end]?.ordinal };
}

/** Truncates text that doesn't fit into a response. */
const truncate = (text: string) =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}\n… (truncated)` : text;
