// Program kube is every Kubernetes program of the lab cluster in one file: it is the one that it is called as (a link's
// name), or the one that its first argument names. One file shares what the programs have in common: 140 MB, not 500.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	_ "time/tzdata" // CronJobs may name a time zone, and the machine may have none

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // kubeconfigs of any kind for kubectl
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

// daemon runs one of Kubernetes' own server commands and ends with its exit code.
func daemon(command *cobra.Command) { os.Exit(cli.Run(command)) }

var programs = map[string]func(){
	"etcd":                    func() { etcdmain.Main(os.Args) },
	"init":                    reap,
	"kube-apiserver":          func() { daemon(apiserver.NewAPIServerCommand()) },
	"kube-controller-manager": func() { daemon(controllers.NewControllerManagerCommand()) },
	"kube-proxy":              func() { daemon(proxy.NewProxyCommand()) },
	"kube-scheduler":          func() { daemon(scheduler.NewSchedulerCommand()) },
	"kubectl":                 client,
	"kubelet":                 func() { daemon(kubelet.NewKubeletCommand(context.Background())) },
}

// client is kubectl: it has no server's flags, and prints its own errors.
func client() {
	logs.GlogSetter(kubectl.GetLogVerbosity(os.Args))
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
}

func main() {
	name := filepath.Base(os.Args[0])
	if _, known := programs[name]; !known && len(os.Args) > 1 {
		name = os.Args[1]
		os.Args = os.Args[1:]
	}
	run, known := programs[name]
	if !known {
		fmt.Fprintf(os.Stderr, "kube: no program %q; expected one of %s\n", name, strings.Join(slices.Sorted(maps.Keys(programs)), ", "))
		os.Exit(64)
	}
	run()
}
