/** The nodes of generated mind maps. */

/** The ID of the root node, which contains the title. */
export const rootNodeId = 'root';

/** Returns the ID of a summary item's node. */
export const itemNodeId = (itemId: string) => `item-${itemId}`;
