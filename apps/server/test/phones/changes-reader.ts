import type { Change, Setting } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import type { ChangesPage } from '@linnet/sync';

type Of<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>;

const withoutUrls = { xmind_url: null, mind_src_url: null, mind_pic_url: null };

/** A minimal model of an account, built from its changes. */
export class ChangesReader {
  readonly recordings = new Map<string, Of<'recording'>['recording']>();
  readonly tasks = new Map<string, Of<'task'>>();
  readonly paragraphs = new Map<string, Of<'paragraph'>>();
  readonly settings = new Map<string, Setting>();
  readonly tombstones = new Set<string>();
  cursor: string | undefined;
  pages = 0;
  readonly #read: (cursor: string | undefined) => Promise<ChangesPage>;
  #rev = 0;

  constructor(read: (cursor: string | undefined) => Promise<ChangesPage>) {
    this.#read = read;
  }

  /**
   * Reads one page.
   * @returns whether there is more
   */
  async page(): Promise<boolean> {
    const { changes, cursor, more } = await this.#read(this.cursor);
    this.pages += 1;
    let last = this.#rev;
    for (const change of changes) {
      // A revision may contain several changes, all on the same page.
      const isAscending = change.rev > this.#rev && change.rev >= last;
      if (!isAscending) throw new Error(`revision ${change.rev} came after ${last}`);
      last = change.rev;
      this.#take(change);
    }
    this.#rev = last;
    this.cursor = cursor;
    return more;
  }

  async readAll(): Promise<void> {
    while (await this.page());
  }

  /** Returns the state that phones are expected to have for a recording. */
  shown(flag: string) {
    const row = this.recordings.get(flag);
    if (!row) return null;
    const [latest] = [...this.tasks.values()]
      .filter(({ client_flag, task }) => {
        return client_flag === flag && task.status === taskStatus.transcribed;
      })
      .sort((a, b) => (key(a) < key(b) ? 1 : -1));
    const content = [...this.paragraphs.values()]
      .filter(({ task_id }) => task_id === latest?.task.id)
      .sort((a, b) => a.ordinal - b.ordinal)
      .map(({ paragraph }) => paragraph);
    return { row, task: latest?.task ?? null, content };

    function key({ task }: Of<'task'>): string {
      return `${task.created_at} ${task.id}`;
    }
  }

  #take(change: Change): void {
    switch (change.kind) {
      case 'recording':
        this.recordings.set(change.recording.client_flag, change.recording);
        break;
      case 'task':
        // The server signs mind map URLs per response, and they depend on whether the recording has its own map.
        this.tasks.set(change.task.id, { ...change, task: { ...change.task, ...withoutUrls } });
        break;
      case 'paragraph':
        this.paragraphs.set(`${change.task_id} ${change.ordinal}`, change);
        break;
      case 'setting':
        this.settings.set(
          `${change.setting.group_name} ${change.setting.config_key}`,
          change.setting,
        );
        break;
      case 'tombstone':
        this.#forget(change.client_flag);
    }
  }

  #forget(flag: string): void {
    this.tombstones.add(flag);
    this.recordings.delete(flag);
    for (const held of [this.tasks, this.paragraphs]) {
      for (const [key, { client_flag }] of held) if (client_flag === flag) held.delete(key);
    }
  }
}
