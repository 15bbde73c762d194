/** Number of branch colors: `--branch-0` and up in the design tokens. */
export const branchColors = 6;
