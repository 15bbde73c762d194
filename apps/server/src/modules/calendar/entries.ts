import type { SummaryDocument } from '@linnet/contract';
import type { CalendarDate, CalendarTodo } from '@linnet/contract/todo-calendar';

/** A recording with the document of its summary and its completed to-dos. */
interface SummarizedRecording {
  readonly client_flag: string;
  readonly title: string;
  readonly ticks: Readonly<Record<string, boolean>>;
  readonly summary_json: SummaryDocument | null;
}

/** Returns a recording's to-dos, and the dates mentioned in it whose day is known. */
export function toEntries(
  { client_flag: flag, title, ticks, summary_json: document }: SummarizedRecording,
  origin: string,
): { readonly todos: readonly CalendarTodo[]; readonly dates: readonly CalendarDate[] } {
  if (!document) return { todos: [], dates: [] };
  const toEntry = ({
    id,
    text,
    paragraph_id: paragraph,
  }: SummaryDocument['todos'][number] | SummaryDocument['timeline'][number]) => ({
    // The same UID as in the file that the app exports, so imported entries aren't duplicated by a subscription.
    uid: `${flag}-${id}@linnet`,
    text,
    url: `${origin}/pages/fileDetail?${new URLSearchParams({ id: flag, paragraph })}`,
  });
  const notes = (details: readonly (string | null)[]) =>
    [...details, title].filter((line) => line !== null && line !== '').map(String);
  return {
    todos: document.todos.map((todo) => ({
      ...toEntry(todo),
      notes: notes([todo.who, todo.when]),
      due: todo.due,
      done: ticks[todo.id] === true,
    })),
    dates: document.timeline.flatMap((item) =>
      item.date === null ? [] : [{ ...toEntry(item), notes: notes([item.when]), day: item.date }],
    ),
  };
}
