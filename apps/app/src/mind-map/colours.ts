/** How many colours there are for branches: `--branch-0` and on, in the tokens. */
export const branchColours = 6;
