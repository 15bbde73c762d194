/** The nodes of generated mind maps. */

/** The id of the node with the title. */
export const rootNodeId = 'root';

/** Returns the id of the node of a summary item. */
export const itemNodeId = (itemId: string) => `item-${itemId}`;
