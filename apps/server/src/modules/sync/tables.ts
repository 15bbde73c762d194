import type { OperationOutcome, OperationType } from '@linnet/contract';
import type { Generated } from 'kysely';
import type { CreatedAt, Json } from '../../db/columns.ts';

/** The tables of synchronization. */
export interface SyncTables {
  operations: {
    account_id: string;
    op_id: string;
    /** The register that the operation writes. Its current value comes from the last operation that was applied. */
    register: string;
    type: OperationType;
    rev: number;
    /** Latest revision that the writer had seen. */
    base_rev: number;
    /** Effective time, never earlier than that of the value that the writer had seen and replaced. */
    at: Date;
    /** Time on the writer's clock. */
    own_at: Date;
    outcome: OperationOutcome['outcome'];
    code: Generated<number>;
    /** The new value; null once the recording is permanently deleted. */
    value: Json<object | null>;
    created_at: CreatedAt;
  };
  tombstones: {
    account_id: string;
    kind: 'recording';
    id: string;
    client_flag: string | null;
    rev: number;
    deleted_at: CreatedAt;
  };
}
