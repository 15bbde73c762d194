import type { Generated } from 'kysely';
import type { CreatedAt } from '../../db/columns.ts';

/** The tables of recorders. */
export interface DeviceTables {
  devices: {
    sn: string;
    name: Generated<string>;
    project_code: Generated<string>;
    registered_at: CreatedAt;
    /** Ed25519 key (32 bytes) that verifies the recorder's signatures; null if none was registered. */
    public_key: Generated<Buffer | null>;
  };
  bindings: {
    sn: string;
    account_id: string;
    bound_at: CreatedAt;
    /** The encrypted key; null for a binding made with version 1 of the recorder's protocol. */
    binding_key: Buffer | null;
    /** Whether the recorder proved the binding with a signature for this account. */
    is_proved: Generated<boolean>;
  };
}
