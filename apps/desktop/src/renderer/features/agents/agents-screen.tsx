/** Installations of agent CLIs, by image (agents.html). */
export function AgentsScreen() {
  return <main data-test="agents-screen">Agents</main>
}
