@echo off
rem The command `alfred`: the engine of the app beside it, without a window.
setlocal
set "ALFRED_RESOURCES=%~dp0resources"
set ELECTRON_RUN_AS_NODE=1
"%~dp0alfred-desktop.exe" "%~dp0resources\app.asar\out\main\alfred.cjs" %*
