export {
  type ContractCase,
  type ContractHooks,
  type ContractLink,
  transportContract,
} from './transport-contract.ts';
