package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// reap is process 1 of the cluster's own process namespace. It does nothing but live and collect the dead: shims of
// containers become its children. When it is killed the kernel kills every other process of the namespace.
func reap() {
	if os.Getpid() != 1 {
		fmt.Fprintln(os.Stderr, "kube init: expected to be process 1 of a process namespace; start it under unshare --pid --fork")
		os.Exit(64)
	}
	ended := make(chan os.Signal, 16)
	signal.Notify(ended, syscall.SIGCHLD)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	signal.Ignore(syscall.SIGHUP)
	fmt.Println("ready")
	for {
		select {
		case <-stop:
			return
		case <-ended:
			for {
				pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
				if err == syscall.EINTR {
					continue
				}
				if pid <= 0 {
					break
				}
			}
		}
	}
}
