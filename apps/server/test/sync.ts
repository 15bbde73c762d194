import type {
  CallData,
  Change,
  Operation,
  OperationOutcome,
  RecordingState,
} from '@linnet/contract';
import type { Account, TestServer } from './server.ts';

/** Creates an operation. By default, it is made now and isn't based on any changes. */
export function operation(rest: object): Operation {
  const head = { op_id: crypto.randomUUID(), base_rev: 0, at: new Date().toISOString() };
  return { ...head, ...rest } as Operation;
}

/** A phone, as seen by the server. */
export interface Phone {
  apply(ops: readonly Operation[]): Promise<OperationOutcome[]>;
  /** Sends one operation. */
  applyOne(rest: object): Promise<OperationOutcome>;
  changes(body?: object): Promise<CallData<'sync/changes'>>;
  /** Reads all changes, page by page. */
  everything(limit?: number): Promise<Change[]>;
  /** Returns a recording's state according to the changes. */
  recording(clientFlag: string): Promise<RecordingState>;
}

export function createPhone(server: TestServer, { access: token }: Account): Phone {
  const phone: Phone = {
    async apply(ops) {
      const { data, msg } = await server.call('sync/apply', { ops }, { token });
      if (data === null) throw new Error(`sync/apply failed: ${msg}`);
      return data.results;
    },

    async applyOne(rest) {
      const [result] = await phone.apply([operation(rest)]);
      if (result === undefined) throw new Error('one operation has one result');
      return result;
    },

    async changes(body = {}) {
      const { data, msg } = await server.call('sync/changes', body, { token });
      if (data === null) throw new Error(`sync/changes failed: ${msg}`);
      return data;
    },

    async everything(limit = 500) {
      const all: Change[] = [];
      for (let cursor: string | undefined; ; ) {
        const response = await phone.changes({ limit, ...(cursor && { cursor }) });
        all.push(...response.changes);
        if (!response.more) return all;
        cursor = response.cursor;
      }
    },

    async recording(clientFlag) {
      for (const change of await phone.everything()) {
        if (change.kind === 'recording' && change.recording.client_flag === clientFlag) {
          return change.recording;
        }
      }
      throw new Error('the changes contain no such recording');
    },
  };
  return phone;
}
