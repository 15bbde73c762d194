import type { Operation } from '@linnet/contract';
import { editedRecording } from '@linnet/contract/operations';
import { json } from '../columns.ts';
import type { SqlDatabase } from '../database.ts';

/** A queued operation. `answered` is true once the server has reported its outcome. */
export type StoredOperation = { readonly op: Operation; readonly answered: boolean };

/**
 * An SQL condition for an operation that can be sent now. Except for deletions, operations on a recording that the server
 * doesn't have wait for its upload.
 */
export const isSendable = `answered = 0 and not exists (
  select 1 from record as subject where subject.id = operation.record_id and subject.server_id is null)`;

/** Returns an account's queued operations, oldest first. */
export async function readOperations(
  database: SqlDatabase,
  uid: string,
): Promise<StoredOperation[]> {
  const rows = await database.query(
    'select body, answered from operation where uid = ? order by seq',
    [uid],
  );
  return rows.map(({ body, answered }) => ({
    op: json<Operation>(body),
    answered: answered === 1,
  }));
}

const settingKey = (group: string, key: string) => JSON.stringify([group, key]);

/** Pending operations by target, to apply on top of the confirmed state. */
export class PendingOperations {
  readonly #byRecording = new Map<string, Operation[]>();
  readonly #settings = new Map<string, string>();

  /** @param operations oldest first */
  constructor(operations: readonly Operation[]) {
    for (const op of operations) {
      const id = editedRecording(op);
      if (id !== null) this.#byRecording.set(id, [...this.forRecording(id), op]);
      else if (op.type === 'setting.set') {
        this.#settings.set(settingKey(op.group_name, op.config_key), op.config_value);
      }
    }
  }

  /** Returns a recording's operations, oldest first. */
  forRecording(id: string): readonly Operation[] {
    return this.#byRecording.get(id) ?? [];
  }

  /** Returns the latest pending value of a setting. */
  setting(group: string, key: string): string | undefined {
    return this.#settings.get(settingKey(group, key));
  }
}
