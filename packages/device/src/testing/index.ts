export {
  type EmulatedGatt,
  type EmulatedListener,
  type EmulatedService,
  openEmulatedLink,
} from './emulated-gatt.ts';
export {
  type GattContractCase,
  type GattContractLink,
  GattContractRecorder,
  type GattContractSource,
  gattContract,
  gattContractProfile,
} from './gatt-contract.ts';
export {
  type ContractCase,
  type ContractHooks,
  type ContractLink,
  transportContract,
} from './transport-contract.ts';
