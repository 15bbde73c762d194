import type { Generated } from 'kysely';
import type { CreatedAt } from '../../db/columns.ts';

/** Tables for recorders. */
export interface DeviceTables {
  devices: {
    sn: string;
    name: Generated<string>;
    project_code: Generated<string>;
    registered_at: CreatedAt;
    /** Ed25519 public key (32 bytes) that verifies the recorder's signatures, or null if none is registered. */
    public_key: Generated<Buffer | null>;
  };
  bindings: {
    sn: string;
    account_id: string;
    bound_at: CreatedAt;
    /** The encrypted key, or null for a binding with version 1 of the recorder's protocol. */
    binding_key: Buffer | null;
    /** Whether the recorder proved the binding with a signature for this account. */
    is_proved: Generated<boolean>;
  };
}
