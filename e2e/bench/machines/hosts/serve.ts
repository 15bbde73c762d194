/** Reports a service's address to the parent process, and stops the service on SIGTERM or without the parent. */
export function serve(address: string, stop: () => Promise<void>): void {
  let isStopping = false;
  const onEnd = () => {
    if (isStopping) return;
    isStopping = true;
    void stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, onEnd);
  process.send?.({ ready: true, address });
}

/** Returns a command-line argument. @throws if it is missing */
export function argument(index: number): string {
  const value = process.argv[2 + index];
  if (value === undefined) throw new RangeError(`argument ${index} is missing`);
  return value;
}
