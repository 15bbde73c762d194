/** Number of branch colors: `--branch-0` and up, in the tokens. */
export const branchColors = 6;
