/** The port of the gateway that agents are set up for. */
export const PORT = 8787;
