/** Thrown if an environment variable is missing or invalid. The message is a complete sentence for the operator. */
export class ConfigFailure extends Error {
  override readonly name = 'ConfigFailure';
  readonly variable: string;
  constructor(variable: string, message: string) {
    super(message);
    this.variable = variable;
  }
}
