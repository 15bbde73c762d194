/** Why a model cannot be installed or used; the message is the whole sentence for the operator. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
}
