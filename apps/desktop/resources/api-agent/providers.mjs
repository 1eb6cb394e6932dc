// What the two APIs want and say: the Messages API of Anthropic, and the Chat Completions API of OpenAI, which many other
// servers speak, too. A conversation is kept in neutral words and written anew for each call. `choice`: the tool that must
// be called, `none` where none may be, null where the model is free.

/** Longest answer of one call, where the API wants to be told. */
const maxAnswerTokens = 8192

const withoutSlash = (url) => url.replace(/\/+$/, '')
const asNumber = (value) => (typeof value === 'number' && value >= 0 ? value : null)

export const providers = {
  anthropic: {
    keyName: 'ANTHROPIC_API_KEY',
    toRequest: ({ key, baseUrl, model, system, conversation, tools, choice }) => ({
      url: `${withoutSlash(baseUrl ?? 'https://api.anthropic.com').replace(/\/v1$/, '')}/v1/messages`,
      headers: { 'anthropic-version': '2023-06-01', ...(key === null ? {} : { 'x-api-key': key }) },
      body: {
        model,
        max_tokens: maxAnswerTokens,
        system,
        messages: withCacheMark(conversation.map(toMessage)),
        tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
        ...(choice === null
          ? {}
          : { tool_choice: choice === 'none' ? { type: 'none' } : { type: 'tool', name: choice } }),
      },
    }),
    toAnswer: ({ content, stop_reason: stop, usage }) => ({
      text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
      calls: content.flatMap((block) =>
        block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
      ),
      isCut: stop === 'max_tokens' || stop === 'model_context_window_exceeded',
      isDeclined: stop === 'refusal',
      usage: {
        input: plus(asNumber(usage?.input_tokens), asNumber(usage?.cache_creation_input_tokens)),
        cached: asNumber(usage?.cache_read_input_tokens) ?? 0,
        output: asNumber(usage?.output_tokens),
      },
    }),
  },
  openai: {
    keyName: 'OPENAI_API_KEY',
    toRequest: ({ key, baseUrl, model, system, conversation, tools, choice }) => ({
      url: `${withoutSlash(baseUrl ?? 'https://api.openai.com/v1')}/chat/completions`,
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
      body: {
        model,
        messages: [{ role: 'system', content: system }, ...conversation.flatMap(toChatMessages)],
        tools: tools.map(({ name, description, schema }) => ({
          type: 'function',
          function: { name, description, parameters: schema },
        })),
        ...(choice === null
          ? {}
          : { tool_choice: choice === 'none' ? 'none' : { type: 'function', function: { name: choice } } }),
      },
    }),
    toAnswer: ({ choices: [{ message, finish_reason: finish }], usage }) => {
      const cached = asNumber(usage?.prompt_tokens_details?.cached_tokens) ?? 0
      const prompt = asNumber(usage?.prompt_tokens)
      return {
        text: typeof message.content === 'string' ? message.content : '',
        calls: (message.tool_calls ?? []).map((call) => ({
          id: call.id,
          name: call.function.name,
          input: argumentsOf(call.function.arguments),
        })),
        isCut: finish === 'length',
        isDeclined: finish === 'content_filter' || typeof message.refusal === 'string',
        // Its count of the prompt has the cached tokens in it.
        usage: {
          input: prompt === null ? null : Math.max(0, prompt - cached),
          cached,
          output: asNumber(usage?.completion_tokens),
        },
      }
    },
  },
}

const plus = (a, b) => (a === null ? null : a + (b ?? 0))

function toMessage(part) {
  switch (part.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: part.text }] }
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]),
          ...part.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
        ],
      }
    default:
      return {
        role: 'user',
        content: part.results.map(({ id, output, failed }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: output,
          is_error: failed,
        })),
      }
  }
}

/** What was sent before is read from the provider's cache, which costs a tenth. */
function withCacheMark(messages) {
  const last = messages.at(-1)
  const content = last.content.map((block, index) =>
    index === last.content.length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } : block,
  )
  return [...messages.slice(0, -1), { ...last, content }]
}

function toChatMessages(part) {
  switch (part.role) {
    case 'user':
      return [{ role: 'user', content: part.text }]
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: part.text.trim() === '' ? null : part.text,
          tool_calls: part.calls.map(({ id, name, input }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
          })),
        },
      ]
    default:
      return part.results.map(({ id, output, failed }) => ({
        role: 'tool',
        tool_call_id: id,
        content: failed ? `Error: ${output}` : output,
      }))
  }
}

/** Arguments that are no JSON object are told back to the model by the tool. */
function argumentsOf(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
