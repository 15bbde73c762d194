export {
  type EmulatedGatt,
  type EmulatedListener,
  type EmulatedService,
  openEmulatedLink,
} from './emulated-gatt.ts';
export {
  type ContractCase,
  type ContractHooks,
  type ContractLink,
  transportContract,
} from './transport-contract.ts';
