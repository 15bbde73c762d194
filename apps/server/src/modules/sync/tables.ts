import type { OperationOutcome, OperationType } from '@linnet/contract';
import type { Generated } from 'kysely';
import type { CreatedAt, Json } from '../../db/columns.ts';

/** Tables for synchronization. */
export interface SyncTables {
  operations: {
    account_id: string;
    op_id: string;
    /** The register that the operation writes. The last applied operation determines its current value. */
    register: string;
    type: OperationType;
    rev: number;
    /** Latest revision seen by the writer. */
    base_rev: number;
    /** Effective time. Never earlier than the effective time of the value that the writer had seen and replaced. */
    at: Date;
    /** Time on the writer's clock. */
    own_at: Date;
    outcome: OperationOutcome['outcome'];
    code: Generated<number>;
    /** The new value, or null once the recording is permanently deleted. */
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
