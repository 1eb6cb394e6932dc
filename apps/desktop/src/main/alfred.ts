process.stderr.write('alfred: no commands yet\n')
process.exitCode = 1
