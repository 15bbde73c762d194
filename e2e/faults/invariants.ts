/** Defines the conditions that must hold once a history's faults have ended and nothing is pending. */
import { createHash } from 'node:crypto';
import { AudioDigester } from '@linnet/audio/digest';
import { codes } from '@linnet/contract/codes';
import {
  isTrans,
  type RecordDetail,
  readStorageSetting,
  type Sha256,
  sha256From,
} from '@linnet/sync';
import { findLocallyBinned } from './locally-binned.ts';
import type { FaultPhone } from './phone.ts';
import type { Source } from './recorder.ts';
import { unwrap } from './server.ts';
import { switches, type World } from './world.ts';

/** The consequence for the user, shown in the results table. */
export type Effect = 'lost' | 'back' | 'charged' | 'stuck' | 'other';

/** Names of all invariants. `settle.ts` checks the first one while it waits. */
export type InvariantName = 'nothing is stuck' | (typeof invariants)[number]['name'];

export type Violation = {
  readonly invariant: InvariantName;
  readonly effect: Effect;
  readonly message: string;
};

/** The state of a phone at the end of a history. */
type PhoneState = {
  readonly phone: FaultPhone;
  readonly details: ReadonlyMap<string, RecordDetail>;
  /** Digests of the recordings' master files, computed from the files. */
  readonly digests: ReadonlyMap<string, Sha256>;
  readonly fileIds: ReadonlySet<string>;
};

/** The state of all devices and the server at the end of a history. */
type State = {
  readonly world: World;
  readonly phones: readonly [PhoneState, PhoneState];
  readonly recorder: ReadonlyMap<number, Sha256>;
  /**
   * Digests of the recordings on the server, computed from the stored objects, or null for recordings without an
   * object.
   */
  readonly cloud: ReadonlyMap<string, Sha256 | null>;
  /** IDs of the recordings that were moved to the recycle bin before their upload. */
  readonly locallyBinned: ReadonlySet<string>;
};

type Invariant = {
  readonly name: string;
  readonly effect: Effect;
  /** Returns the violations of the invariant. */
  check(state: State): Promise<string[]> | string[];
};

const invariants = [
  {
    name: 'every recording that was stopped is whole in a selected place',
    effect: 'lost',
    async check({ world, phones, recorder, cloud, locallyBinned }) {
      const [{ phone }] = phones;
      const setting = readStorageSetting(await phone.changes.settings(phone.uid));
      return world.sources.flatMap(({ id, sessionId, sha256 }) => {
        if (world.deleted.has(id)) return [];
        const places = [
          ...(recorder.get(sessionId) === sha256 ? (['recorder'] as const) : []),
          ...(phones.some(({ digests }) => digests.get(id) === sha256) ? (['phone'] as const) : []),
          ...(cloud.get(id) === sha256 ? (['cloud'] as const) : []),
        ];
        if (places.some((place) => setting[switches[place]] === 1)) return [];
        // Until it is restored, such a recording is kept in unselected places.
        if (places.length > 0 && locallyBinned.has(id)) return [];
        return [`${id} is in ${places.join(', ') || 'no place'} of ${JSON.stringify(setting)}`];
      });
    },
  },
  {
    name: 'a copy that is called verified is whole',
    effect: 'lost',
    check: ({ world, phones, cloud }) =>
      world.sources.flatMap(({ id, sha256 }) =>
        phones.flatMap(({ details, digests }, index) => {
          const copies = details.get(id)?.copies;
          const violations: string[] = [];
          if (copies?.phone.status === 'verified' && digests.get(id) !== sha256)
            violations.push(`the file of ${id} on phone ${index} differs`);
          if (copies?.cloud.status === 'verified' && cloud.get(id) !== sha256)
            violations.push(`the object of ${id} differs, although phone ${index} relies on it`);
          return violations;
        }),
      ),
  },
  {
    name: 'the cloud has each recording while it is selected',
    effect: 'lost',
    async check({ world, phones: [{ phone, details }], cloud }) {
      const { cloudSave } = readStorageSetting(await phone.changes.settings(phone.uid));
      if (cloudSave === 0) return [];
      return world.sources.flatMap(({ id, sha256 }) => {
        const detail = details.get(id);
        // Recordings in the recycle bin aren't uploaded.
        if (world.deleted.has(id) || !detail || detail.is_del === 1) return [];
        const cloudRecording = cloud.get(id);
        if (cloudRecording === sha256) return [];
        const { copies, problem } = detail;
        const states = JSON.stringify({ copies, problem });
        return [`${id} ${cloudRecording ? 'differs' : 'is missing'} in the cloud: ${states}`];
      });
    },
  },
  {
    name: 'nothing that was deleted is back',
    effect: 'back',
    check: ({ world, phones, cloud }) =>
      [...world.deleted].flatMap((id) => [
        ...(cloud.has(id) ? [`${id} is on the server`] : []),
        ...phones.flatMap(({ details, fileIds }, index) => [
          ...(details.has(id) ? [`${id} is on phone ${index}`] : []),
          ...(fileIds.has(id) ? [`files of ${id} are on phone ${index}`] : []),
        ]),
      ]),
  },
  {
    name: 'no recording exists twice',
    effect: 'other',
    check({ world, phones, cloud }) {
      const knownIds = new Set(world.sources.map(({ id }) => id));
      const foundIds = [...cloud.keys(), ...phones.flatMap(({ details }) => [...details.keys()])];
      return foundIds.filter((id) => !knownIds.has(id)).map((id) => `${id} was never recorded`);
    },
  },
  {
    name: 'the minutes charged are those of transcribed audio',
    effect: 'charged',
    async check({ world: { server, account } }) {
      // A canceled transcription costs the minutes that the engine has processed.
      const rows = await server.rows<{ task_id: string; charged: number; due: number }>(
        `select task_id, sum(charged)::int as charged, sum(due)::int as due from (
           select task_id::text, minutes as charged, 0 as due from minute_charges
             where account_id = $1 and state = 'settled'
           union all
           select task_id, 0, minutes from task_ends
             where account_id = $1 and (status = 2 or error_code = $2)
         ) as sums group by task_id having sum(charged) != sum(due)`,
        [account.id, codes.transcriptionCanceled],
      );
      const reserved = await server.rows<{ task_id: string }>(
        `select task_id from minute_charges where account_id = $1 and state = 'reserved'`,
        [account.id],
      );
      return [
        ...rows.map(({ task_id, charged, due }) => `${task_id} cost ${charged} instead of ${due}`),
        ...reserved.map(({ task_id }) => `minutes of ${task_id} are still reserved`),
      ];
    },
  },
  {
    name: 'a transcript has the words that were spoken',
    effect: 'other',
    check: ({ world, phones }) =>
      world.sources.flatMap((source) =>
        phones.flatMap(({ details }, index) => {
          const detail = details.get(source.id);
          if (detail?.is_trans !== isTrans.translated) return [];
          if (detail.transcript === 'arriving') {
            return [`the transcript of ${source.id} is missing on phone ${index}`];
          }
          const read = normalizeWords(detail.content.map(({ content }) => content).join(' '));
          if (isTranscriptOf(source, read)) return [];
          return [`phone ${index} has “${read}” for “${source.words.join(' ')}”`];
        }),
      ),
  },
  {
    name: 'live text has the words that were spoken',
    effect: 'other',
    check: ({ world, phones }) =>
      world.sources.flatMap(({ id, words }) =>
        phones.flatMap(({ phone }, index) => {
          const passages = phone.liveTexts.get(id)?.passages ?? [];
          const read = normalizeWords(passages.map(({ text }) => text).join(' '));
          if (isBeginningOf(words, read)) return [];
          return [`phone ${index} showed “${read}” for “${words.join(' ')}”`];
        }),
      ),
  },
  {
    name: 'an answer quotes the recording that was asked about',
    effect: 'other',
    check: ({ world }) =>
      world.questions.flatMap(({ source, serverId, quotes }) =>
        quotes.flatMap(({ radio_file_id, text }) => {
          if (radio_file_id !== serverId) return [`${radio_file_id} is quoted for ${source.id}`];
          const words = source.words.join(' ');
          const isSaid = words.includes(withoutCutWord(normalizeWords(text)));
          return isSaid ? [] : [`“${text}” is quoted for “${words}”`];
        }),
      ),
  },
  {
    name: 'each edit that the server refused is shown',
    effect: 'lost',
    async check({ world: { server, account }, phones }) {
      // Edits of permanently deleted recordings aren't shown.
      const refused = await server.rows<{ op_id: string; type: string; code: number }>(
        `select op_id::text, type, code from operations
           where account_id = $1 and outcome = 'refused' and code != $2`,
        [account.id, codes.recordingDeleted],
      );
      const listed = new Set<string>();
      for (const { phone } of phones) {
        for (const { op } of await phone.changes.rejectedEdits(phone.uid)) listed.add(op.op_id);
      }
      return refused
        .filter(({ op_id }) => !listed.has(op_id))
        .map(({ op_id, type, code }) => `${type} ${op_id} was refused with ${code}`);
    },
  },
  {
    name: 'every refusal was shown',
    effect: 'stuck',
    async check({ world: { server, account, sources, binned }, phones: [{ details }] }) {
      // Moving a recording to the recycle bin cancels its transcription, which the user restarts after restoring it.
      const rows = await server.rows<{ client_flag: string }>(
        `select client_flag from recordings where account_id = $1 and $2 =
           (select error_code from tasks where recording_id = recordings.id order by created_at desc limit 1)`,
        [account.id, codes.transcriptionCanceled],
      );
      const canceled = new Set(
        rows.map(({ client_flag }) => client_flag).filter((id) => binned.has(id)),
      );
      return sources.flatMap(({ id }) => {
        const detail = details.get(id);
        if (!detail || detail.is_del === 1 || canceled.has(id)) return [];
        const isReported = detail.transcript === 'received' || detail.problem !== null;
        return isReported
          ? []
          : [`${id} has neither a transcript nor a reason (${detail.transcript})`];
      });
    },
  },
  {
    name: 'each name and tag that the app has accepted is there',
    effect: 'lost',
    check: ({ world, phones: [{ details }] }) =>
      [...details].flatMap(([id, { title, tags }]) => {
        const labels = world.labels.filter(({ recording }) => recording === id);
        const names = labels.filter(({ kind }) => kind === 'rename');
        const isNamed = names.some(({ isAccepted }) => isAccepted);
        const isKnownName = names.some(({ text }) => text === title);
        const missingLabels = labels.filter(
          ({ kind, text, isAccepted }) => kind === 'tag' && isAccepted && !tags.includes(text),
        );
        return [
          ...(isKnownName || (!isNamed && title === '') ? [] : [`${id} is called “${title}”`]),
          ...missingLabels.map(({ text }) => `${id} has no tag “${text}”`),
        ];
      }),
  },
  {
    name: 'both phones show the same',
    effect: 'other',
    check({ phones: [first, second], locallyBinned }) {
      const ids = new Set([...first.details.keys(), ...second.details.keys()]);
      return [...ids].flatMap((id) => {
        if (locallyBinned.has(id)) return [];
        const [one, other] = [first, second].map(({ details }) => describeShown(details.get(id)));
        return one === other ? [] : [`${id}: ${one} and ${other}`];
      });
    },
  },
  {
    name: 'a share link shows a recording exactly while it is valid',
    effect: 'back',
    async check({ world, phones: [{ details }] }) {
      const violations: string[] = [];
      for (const { recording, url, isRevoked } of world.shares) {
        const detail = details.get(recording);
        const isValid = !isRevoked && detail !== undefined && detail.is_del === 0;
        const { status } = await fetch(url);
        if ((status === 200) !== isValid)
          violations.push(`the link to ${recording} answers ${status}`);
      }
      return violations;
    },
  },
  {
    name: 'another account on the phone has nothing of the owner',
    effect: 'other',
    async check({ world: { guest, server }, phones }) {
      if (!guest) return [];
      const violations: string[] = [];
      const { total } = unwrap(await server.client(guest).call('task/index', { limit: 1 }));
      if (total > 0) violations.push(`${total} recordings are in the account of the guest`);
      for (const { phone } of phones) {
        const rows = await phone.records.summaries(guest.id);
        if (rows.length > 0) violations.push(`${rows.length} recordings are shown to the guest`);
      }
      return violations;
    },
  },
  {
    name: 'the recorder boots firmware that it may run',
    effect: 'stuck',
    async check({ world: { recorder } }) {
      if (!recorder.firmware.hasReleased) return [];
      const version = await recorder.restart();
      return recorder.isBootable(version) ? [] : [`the recorder runs ${version}`];
    },
  },
  {
    name: 'no job is dead',
    effect: 'stuck',
    async check({ world: { server, account } }) {
      const rows = await server.rows<{ name: string }>(
        `select name from pgboss.job where state = 'failed'
           and data->>'taskId' in (select id::text from tasks where account_id = $1)`,
        [account.id],
      );
      return rows.map(({ name }) => `a job ${name} has given up`);
    },
  },
  {
    name: 'the app reports no unexpected errors',
    effect: 'other',
    check: ({ world }) =>
      world.errors.map((error) =>
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      ),
  },
] as const satisfies readonly Invariant[];

/** Checks all invariants. */
export async function findViolations(world: World): Promise<Violation[]> {
  const state = await readState(world);
  const violations: Violation[] = [];
  for (const { name, effect, check } of invariants) {
    for (const message of await check(state)) {
      violations.push({ invariant: name, effect, message });
    }
  }
  return violations;
}

async function readState(world: World): Promise<State> {
  const [first, second] = world.phones;
  return {
    world,
    phones: [await readPhone(first), await readPhone(second)],
    recorder: await world.recorder.digests(),
    cloud: await readCloud(world),
    locallyBinned: await findLocallyBinned(world),
  };
}

async function readPhone(phone: FaultPhone): Promise<PhoneState> {
  const { records, uid, audio } = phone;
  const rows = [...(await records.summaries(uid)), ...(await records.binned(uid))];
  const details = new Map<string, RecordDetail>();
  const digests = new Map<string, Sha256>();
  for (const { id } of rows) {
    const detail = await records.detail(id);
    if (detail) details.set(id, detail);
    const master = await audio.master(id);
    if (master) digests.set(id, digestFile(new Uint8Array(await master.arrayBuffer())));
  }
  const fileIds = new Set((await phone.files()).map(({ id }) => id));
  return { phone, details, digests, fileIds };
}

async function readCloud({ server, account }: World): Promise<State['cloud']> {
  const rows = await server.rows<{ client_flag: string }>(
    'select client_flag from recordings where account_id = $1',
    [account.id],
  );
  const client = server.client(account);
  const digests = new Map<string, Sha256 | null>();
  for (const { client_flag } of rows) {
    const found = unwrap(await client.call('upload/checkOssFile', { client_flag }));
    const response = found?.url ? await fetch(found.url) : null;
    const isReadable = response?.ok === true;
    digests.set(
      client_flag,
      isReadable ? digestFile(new Uint8Array(await response.arrayBuffer())) : null,
    );
  }
  return digests;
}

/** Returns the digest of the packets in an audio file. */
function digestFile(bytes: Uint8Array): Sha256 {
  const digester = new AudioDigester(() => createHash('sha256'));
  digester.push(bytes);
  return sha256From(digester.end().audioSha256);
}

/** Returns the words of a string in lower case, separated by spaces. */
const normalizeWords = (text: string) => (text.toLowerCase().match(/[a-z]+/g) ?? []).join(' ');

/** Returns text without the word during which its recording ended. The engine recognizes the beginning of a word as “uh”. */
const withoutCutWord = (text: string) => text.replace(/ ?\buh$/, '');

/** Returns whether normalized text consists of the first words, or is empty. */
function isBeginningOf(words: readonly string[], text: string): boolean {
  const complete = withoutCutWord(text);
  return complete === '' || `${words.join(' ')} `.startsWith(`${complete} `);
}

/** Returns whether normalized text has all words that ended before their recording did, and no others. */
function isTranscriptOf({ words, completeWords }: Source, text: string): boolean {
  const count = withoutCutWord(text).split(' ').filter(Boolean).length;
  return count >= completeWords && isBeginningOf(words, text);
}

/** Returns the visible state of a recording. */
function describeShown(detail: RecordDetail | undefined): string {
  if (!detail) return 'nothing';
  const { title, tags, is_del, is_archived, is_trans, content } = detail;
  const paragraphs = content.map(({ id, content: text }) => [id, text]);
  return JSON.stringify({
    title,
    tags: tags.toSorted(),
    is_del,
    is_archived,
    is_trans,
    paragraphs,
  });
}
