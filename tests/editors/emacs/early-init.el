;; compiling in the background takes the processor from the tests, and a welcome hides the file
(setq native-comp-deferred-compilation nil
      native-comp-enable-subr-trampolines nil
      inhibit-startup-screen t)
