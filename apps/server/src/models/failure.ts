/** Thrown if a model can't be installed or used. The message is a complete sentence for the operator. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
}
