/** A basic string of TOML takes the escapes of JSON, and one more character must be escaped. */
export const tomlString = (text: string): string =>
  JSON.stringify(text).replaceAll('\u007f', String.raw`\u007f`)
